import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deserialize } from 'node:v8'
import type { RegistroTransmissao } from '@vigia/contracts/transmissao'
import { createCameraWriter } from '../continuous/camera-writer.ts'
import { createMinuteFiles } from '../continuous/minute-files.ts'

/** Records the same pictures again and again until it is killed; reports each written part over the IPC channel. */
const [folder = '', footage = '', camera = '', first = ''] = process.argv.slice(2)
const records = deserialize(readFileSync(footage)) as RegistroTransmissao[]
const files = createMinuteFiles(folder)
let written = 0
const writer = createCameraWriter({
  cameraId: Number(camera),
  files,
  freeSpace: async () => true,
  onWritten: () => process.send?.(++written),
  onFailure(motivo) {
    throw new Error(motivo)
  },
})
for (let startMs = Number(first); ; startMs += 3_600_000) {
  for (const registro of records) {
    writer.add(registro.tipo === 'parte' ? { ...registro, instante: registro.instante + startMs } : registro)
    await nextTurn()
  }
  await writer.end()
}
