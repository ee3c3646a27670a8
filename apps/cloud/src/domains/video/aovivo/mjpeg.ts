import type { LiveFrame } from './live-views.ts'
import type { Miniatura } from './mosaic-seats.ts'

const BOUNDARY = 'quadro'
const DELIMITER = `--${BOUNDARY}\r\n`

/** Each part replaces the previous one; browsers show a moving picture. */
export const MJPEG = 'multipart/x-mixed-replace'
export const MJPEG_TYPE = `${MJPEG}; boundary=${BOUNDARY}`

/** The pictures of several cameras; the header `X-Camera-Id` of a part names its camera. */
export const MOSAIC = 'multipart/mixed'
export const MOSAIC_TYPE = `${MOSAIC}; boundary=${BOUNDARY}`

const partOf = (jpeg: Buffer, header: string): Buffer => {
  const headers = `Content-Type: image/jpeg\r\n${header}Content-Length: ${jpeg.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(headers), jpeg, Buffer.from(`\r\n${DELIMITER}`)])
}

export async function* asMosaic(
  pictures: AsyncGenerator<Miniatura, void, void>,
): AsyncGenerator<string | Uint8Array, void, void> {
  // The page learns at once that the mosaic is open, also before the first picture.
  yield DELIMITER
  for await (const { cameraId, jpeg, movimento } of pictures)
    yield partOf(jpeg, `X-Camera-Id: ${cameraId}\r\n${movimento ? 'X-Movimento: 1\r\n' : ''}`)
}

/**
 * Frames as the parts of a multipart body (RFC 2046, 5.1.1). The boundary follows each part at once, because a browser
 * shows a part only after its boundary.
 */
export async function* asMjpeg(frames: AsyncGenerator<LiveFrame, void, void>): AsyncGenerator<Uint8Array, void, void> {
  let before = DELIMITER
  for await (const { jpeg, caixas } of frames) {
    yield Buffer.concat([Buffer.from(before), partOf(jpeg, boxesHeader(caixas))])
    before = ''
  }
}

const LONGEST_LABEL = 24
const round = (value: number) => Math.round(value * 1000) / 1000

/**
 * `X-Caixas: [["person",0.87,0.1,0.2,0.3,0.4]]`: label, confidence, x, y, width, height. Empty without data. The label
 * comes from the edge: JSON escapes line breaks, and other characters than printable ASCII are dropped.
 */
function boxesHeader(caixas: LiveFrame['caixas']): string {
  if (caixas === null) return ''
  const compact = caixas.map(({ rotulo, confianca, x, y, w, h }) => [
    rotulo.replace(/[^ -~]/g, '').slice(0, LONGEST_LABEL),
    ...[confianca, x, y, w, h].map(round),
  ])
  return `X-Caixas: ${JSON.stringify(compact)}\r\n`
}
