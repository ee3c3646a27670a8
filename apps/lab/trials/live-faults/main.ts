// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('As falhas do vídeo ao vivo precisam do Node 24 ou mais novo: use `npm run live-faults`.\n')
  process.exit(1)
}

const { startScene } = await import('./scene.ts')
const { createFaults } = await import('./faults.ts')
const { parseArgs } = await import('node:util')

/** Minutes for which the frozen viewer reads nothing. */
const { values } = parseArgs({ options: { congelado: { type: 'string', default: '2' } } })
if (!/^[1-9]\d{0,2}$/.test(values.congelado)) {
  process.stderr.write('Uso: npm run live-faults -- [--congelado MINUTOS]\n')
  process.exit(2)
}

const scene = await startScene()
let failed = 0
try {
  const before = await scene.resources()
  for (const { name, run } of createFaults(Number(values.congelado) * 60_000)) {
    const begun = performance.now()
    const problem = await run(scene).then(
      (figures) => {
        process.stdout.write(`ok    ${name}: ${figures}\n`)
        return null
      },
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    if (problem === null) continue
    failed++
    process.stdout.write(`FAIL  ${name} after ${Math.round(performance.now() - begun)} ms: ${problem}\n`)
  }
  const leaks = await scene.leaks(before)
  failed += leaks.length
  process.stdout.write(leaks.length === 0 ? 'ok    nothing leaked\n' : leaks.map((leak) => `FAIL  ${leak}\n`).join(''))
} finally {
  await scene.close()
}
process.exitCode = failed === 0 ? 0 : 1
