// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A medida da gravação precisa do Node 24 ou mais novo: use `npm run continuous-cost`.\n')
  process.exit(1)
}

const { tmpdir } = await import('node:os')
const { parseArgs } = await import('node:util')
const { measureRecording } = await import('./measure.ts')

/** Largest cost of recording above reading, in cores a camera. */
const MOST_CORES = 0.0015

const { values } = parseArgs({
  options: {
    cameras: { type: 'string', default: '16' },
    segundos: { type: 'string', default: '65' },
    pasta: { type: 'string', default: tmpdir() },
  },
})

const cost = await measureRecording(Number(values.cameras), Number(values.segundos), values.pasta)
const above = cost.recordingCores - cost.readingCores
process.stdout.write(
  `disk ${cost.disk}, ${values.cameras} cameras\n` +
    `reading ${cost.readingCores.toFixed(4)}, with recording ${cost.recordingCores.toFixed(4)} core a camera\n` +
    `files ${cost.fileGb.toFixed(2)}, writes to the disk ${cost.writtenGb.toFixed(2)} GB a day and camera\n` +
    `${above <= MOST_CORES ? 'ok' : 'above the limit'}: ${above.toFixed(4)} of ${MOST_CORES} core a camera\n`,
)
process.exitCode = above <= MOST_CORES ? 0 : 1
