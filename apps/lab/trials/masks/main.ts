// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A prova das máscaras precisa do Node 24 ou mais novo: use `npm run masks`.\n')
  process.exit(1)
}

const { rmSync } = await import('node:fs')
const { startInstallation } = await import('@vigia/testing/installation')
const { startRecorder } = await import('@vigia/testing/simulator')
const { temporaryFolder } = await import('@vigia/testing/temporary-folder')
const { measureCosts } = await import('./costs.ts')
const { judgeOutputs } = await import('./outputs.ts')

/** `npm run masks`: costs, then every output of a masked camera. The exit code is 1 if one shows masked pixels. */
for (const { stream, coverMs, copyCores } of await measureCosts())
  process.stdout.write(
    `${stream}: ${coverMs.toFixed(2)} CPU ms to cover a picture, ${copyCores.toFixed(3)} core for a copy\n`,
  )
const folder = temporaryFolder('vigia-masks-')
const recorder = await startRecorder({ gravacao: { trechos: [{ inicio: 0, fim: Date.now() + 86_400_000 }] } })
const vigia = await startInstallation()
try {
  const rtsp = { main: recorder.url(1), sub: recorder.url(1, 'sub') }
  const outputs = await judgeOutputs(await vigia.signIn(), rtsp, folder)
  for (const { name, pictures, isFlat } of outputs)
    process.stdout.write(`${isFlat ? 'flat  ' : 'SHOWN '} ${name} (${pictures} pictures)\n`)
  const shown = outputs.filter(({ isFlat }) => !isFlat).length
  process.stdout.write(`${outputs.length} outputs, ${shown} with masked pixels\n`)
  process.exitCode = shown === 0 ? 0 : 1
} finally {
  await vigia.close()
  await recorder.close()
  rmSync(folder, { recursive: true, force: true })
}
