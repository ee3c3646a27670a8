// First statement, before any code that an older Node cannot parse.
if (Number(process.versions.node.split('.')[0]) < 24) {
  process.stderr.write('A medida do vídeo ao vivo precisa do Node 24 ou mais novo: use `npm run bench:aovivo`.\n')
  process.exit(1)
}

const { rmSync } = await import('node:fs')
const { loadavg } = await import('node:os')
const { join } = await import('node:path')
const { parseArgs } = await import('node:util')
const { openBrowser } = await import('@vigia/testing/browser')
const { startInstallation } = await import('@vigia/testing/installation')
const { startRecorder } = await import('@vigia/testing/simulator')
const { temporaryFolder } = await import('@vigia/testing/temporary-folder')
const { createAccount } = await import('../journeys/harness/accounts.ts')
const { compareHls } = await import('./compare.ts')
const { writeNumbered } = await import('./footage.ts')
const { createCameras, measureHls, measureMosaic, measureOne, openStreams, playHls } = await import('./measure.ts')

/** `npm run bench:aovivo`: live video in Chromium, with the delay that its burnt-in frame numbers show. */
const { values } = parseArgs({
  options: {
    cameras: { type: 'string', default: '16' },
    segundos: { type: 'string', default: '20' },
    /** File of hls.js (`hls.min.js`): also measures LL-HLS. */
    'hls-js': { type: 'string' },
    /** Minutes: validates live HLS beside `ffmpeg -f hls` instead of the measurements. */
    conferir: { type: 'string' },
  },
})

/** Largest values, ms. */
const ONE = { first: 500, p95: 600 }
const MANY = { first: 1000, p95: 1200 }
const LOW_LATENCY_HLS = { first: Number.POSITIVE_INFINITY, p95: 2000 }
const UNBOUNDED = { first: Number.POSITIVE_INFINITY, p95: Number.POSITIVE_INFINITY }

const MAIN = { width: 1280, height: 720, fps: 25, bitRate: 2_000_000 }
const SUB = { width: 640, height: 360, fps: 10, bitRate: 520_000 }
const seconds = (ms: number | null) => (ms === null ? '–' : `${(ms / 1000).toFixed(2)} s`)
const count = values.conferir === undefined ? Number(values.cameras) : 1
const folder = temporaryFolder('vigia-aovivo-')
const files = { main: join(folder, 'main.mkv'), sub: join(folder, 'sub.mkv') }
await writeNumbered(files.main, MAIN)
await writeNumbered(files.sub, SUB)
const recorder = await startRecorder({ canais: Array.from({ length: count }, () => `${files.main},${files.sub}`) })
const vigia = await startInstallation()
const browser = await openBrowser({ shell: true })
try {
  const { api } = (await createAccount(await vigia.signIn())).admin
  const fps = { principal: MAIN.fps, sub: SUB.fps }
  const world = { api, browser, recorder, fps, seconds: Number(values.segundos) }
  const cameras = await createCameras(world, count)
  const viewers = await openStreams(world, cameras)
  const first = cameras[0] ?? 0
  const script = values['hls-js']
  if (values.conferir === undefined) await report()
  else await validate(Number(values.conferir))

  async function validate(minutes: number) {
    const { hls_url } = await api.get<{ hls_url: string }>(`/cameras/${first}/hls_url`)
    const { edge, cloud } = vigia.programs
    const compared = compareHls({
      ...{ playlist: new URL(hls_url, api.base).href, rtsp: recorder.url(1), folder, minutes },
      sentAt: () => recorder.playStart(1, 'principal')?.time ?? Number.NaN,
      pids: { edge: edge.pid, cloud: cloud.pid },
    })
    const player = script === undefined ? [] : await playHls(world, first, script, compared)
    const { segments, faults, newestMs, oursMs, ffmpegMs, edgeCores, cloudCores, ffmpegCores } = await compared
    const found = [...player.map((error) => `hls.js: ${error}`), ...faults]
    if (found.length > 0 || segments === 0) process.exitCode = 1
    process.stdout.write(
      `${segments} segments in ${minutes} min, ${found.length} faults\n` +
        `newest picture in the playlist: ${seconds(newestMs)} old\n` +
        `whole segments are listed after ${seconds(oursMs)}, of ffmpeg after ${seconds(ffmpegMs)}\n` +
        `cores: edge ${edgeCores.toFixed(3)}, cloud ${cloudCores.toFixed(3)}, ffmpeg ${ffmpegCores.toFixed(3)}\n` +
        found
          .slice(0, 20)
          .map((fault) => `  ${fault}\n`)
          .join(''),
    )
  }

  async function report() {
    const results = [
      { ...(await measureOne(world, first)), most: ONE },
      { ...(await measureMosaic(world, cameras)), most: MANY },
      { ...(await measureHls(world, first, null)), most: UNBOUNDED },
      ...(script === undefined ? [] : [{ ...(await measureHls(world, first, script)), most: LOW_LATENCY_HLS }]),
    ]
    for (const { name, videos, firstMs, p50Ms, p95Ms, fps, ok, most } of results) {
      const holds = ok && (firstMs ?? 0) <= most.first && p95Ms <= most.p95
      if (!holds) process.exitCode = 1
      process.stdout.write(
        `${holds ? 'ok    ' : 'BEYOND'} ${name}: ${videos} play, first picture ${seconds(firstMs)}, ` +
          `delay ${seconds(p50Ms)} median, ${seconds(p95Ms)} p95, ` +
          `${fps.toFixed(1)} frames/s${ok ? '' : ', still or black'}\n`,
      )
    }
  }
  for (const viewer of viewers) viewer.close()
  process.stdout.write(`load ${loadavg()[0]?.toFixed(1)}\n`)
} finally {
  await browser.close()
  await vigia.close()
  await recorder.close()
  rmSync(folder, { recursive: true, force: true })
}
