#!/usr/bin/env node
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write(
    `A Vigia precisa do Node 24 ou mais novo (este é o ${process.versions.node}): use o mesmo que o serviço usa.\n`,
  )
  process.exit(1)
}

const { runCommand } = await import('./run-command.ts')

/** The program `vigia`: commands for the operator of the machine. It never serves, and stops no running service. */
process.exitCode = await runCommand(process.argv.slice(2))
