import { blankJpeg } from '@vigia/testing/blank-jpeg'
import { batch, candidate } from '../../../src/test/records/records.ts'
import { type Attack, publishAll } from '../attack.ts'

/** Reached within seconds, so that most of the phase deletes pictures. */
const LIMITE_BYTES = 100_000_000
const PICTURE_BYTES = 60_000
const PER_BATCH = 12

/** Writes pictures as fast as the link takes them, above `limite_bytes`. */
export const diskFilling: Attack = {
  name: 'pictures above limite_bytes without end',
  prepare: async ({ operator, hostile }) => {
    const limit = { limite_bytes: LIMITE_BYTES }
    await operator.expect(200, 'PATCH', `/api/v1/empresas/${hostile.empresaId}`, limit)
  },
  start: async (context) => {
    let seq = 0
    const next = () => {
      seq += 1
      const change = { ia: 'veiculo', ocorrido_em: Date.now() } as const
      return candidate(context.cameraIds[3] ?? 0, seq, { crop: picture(String(seq)), change })
    }
    return publishAll(context, () => batch(Array.from({ length: PER_BATCH }, next)))
  },
}

/** A picture whose frame header states enough pixels for its bytes. */
function picture(mark: string): Buffer {
  const jpeg = blankJpeg(PICTURE_BYTES, mark)
  const frame = jpeg.lastIndexOf(Buffer.from([0xff, 0xc0]))
  jpeg.writeUInt16BE(360, frame + 5)
  jpeg.writeUInt16BE(640, frame + 7)
  return jpeg
}
