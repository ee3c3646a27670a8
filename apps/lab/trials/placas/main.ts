// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A medida das passagens precisa do Node 24 ou mais novo: use `npm run bench:placas`.\n')
  process.exit(1)
}

const { parseArgs } = await import('node:util')
const { resolve } = await import('node:path')
const { measureRoad } = await import('./measure-road.ts')

/**
 * Plays photographed cars with allowed plates in front of N cameras. Each crosses in S seconds, one after the other.
 * Recorder, edge, broker and cloud run on this machine. Prints losses, delays and CPU time. The exit status is 0 if no
 * passage is lost or doubled and both delays keep their limits.
 *
 * `npm run bench:placas -- [--cameras N] [--minutos N] [--segundos S] [--data DIR]`
 */
const { values } = parseArgs({
  options: {
    cameras: { type: 'string', default: '1' },
    minutos: { type: 'string', default: '5' },
    segundos: { type: 'string', default: '3' },
    data: { type: 'string', default: '../shared/data' },
  },
})
const [cameras, minutes, carS] = [values.cameras, values.minutos, values.segundos].map(Number) as [
  number,
  number,
  number,
]
if (
  !(
    Number.isInteger(cameras) &&
    cameras >= 1 &&
    cameras <= 8 &&
    minutes >= 1 &&
    minutes <= 240 &&
    carS >= 1 &&
    carS <= 60
  )
) {
  process.stderr.write('Uso: npm run bench:placas -- [--cameras 1 a 8] [--minutos 1 a 240] [--segundos 1 a 60]\n')
  process.exit(2)
}
process.exitCode = (await measureRoad({ dataDir: resolve(values.data), cameras, minutes, carS })) ? 0 : 1
