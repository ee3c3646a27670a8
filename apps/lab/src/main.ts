// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('The lab needs Node 24 or newer: call it with `npm run lab`.\n')
  process.exit(2)
}

const { runLab } = await import('./run-lab.ts')
process.exit(await runLab(process.argv.slice(2)))
