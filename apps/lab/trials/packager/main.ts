// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A medida do empacotador precisa do Node 24 ou mais novo: use `npm run packager`.\n')
  process.exit(1)
}

const { parseArgs } = await import('node:util')
const { measurePackager, subjects, WITH_AUDIO } = await import('./measure.ts')

/** Largest cost above the demuxer, in cores a camera. */
const MOST_CORES = 0.004
/** The same with audio, which FFmpeg's demuxer reads and its encoder encodes. */
const MOST_CORES_AUDIO = 0.012

const { values } = parseArgs({
  options: {
    cameras: { type: 'string', default: '6' },
    segundos: { type: 'string', default: '15' },
    voltas: { type: 'string', default: '3' },
  },
})

const median = (numbers: readonly number[]): number => numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? 0

const costs = await measurePackager(Number(values.cameras), Number(values.segundos), Number(values.voltas))
const medians = subjects.map((subject) => {
  const own = costs.filter((cost) => cost.subject === subject)
  return {
    subject,
    cores: median(own.map(({ cores }) => cores)),
    parts: median(own.map((cost) => cost.partsPerSecond)),
  }
})
const demuxer = medians[0]?.cores ?? 0
for (const { subject, cores, parts } of medians) {
  const above = (cores - demuxer).toFixed(4)
  process.stdout.write(
    `${subject.padEnd(16)} ${cores.toFixed(4)} core, ${above} above the demuxer, ${parts.toFixed(1)} parts/s\n`,
  )
}
const clips = costs.flatMap(({ clip }) => clip ?? [])
const [cutMs, stripMs, bytes] = [
  median(clips.map((clip) => clip.cutMs)),
  median(clips.map((clip) => clip.stripMs)),
  median(clips.map((clip) => clip.bytes)),
]
process.stdout.write(
  `a clip of ${(bytes / 1e6).toFixed(1)} MB: ${cutMs.toFixed(1)} ms, its strip ${stripMs.toFixed(1)} ms\n`,
)
const mostOf = (hasAudio: boolean) =>
  Math.max(
    ...medians.filter(({ subject }) => (subject === WITH_AUDIO) === hasAudio).map(({ cores }) => cores - demuxer),
  )
const results = [
  { name: 'video', most: mostOf(false), limit: MOST_CORES },
  { name: 'video and audio', most: mostOf(true), limit: MOST_CORES_AUDIO },
]
for (const { name, most, limit } of results)
  process.stdout.write(
    `${most <= limit ? 'ok' : 'above the limit'}: ${name}, ${most.toFixed(4)} of ${limit} core a camera\n`,
  )
process.exitCode = results.every(({ most, limit }) => most <= limit) ? 0 : 1
