import type { Applied } from '../link/desired.ts'
import type { RecordedCamera } from './continuous-options.ts'

const MB = 1_000_000

/** The cameras that a configuration wants recorded, and the largest size of their recordings in bytes. */
export function toRecord({ cameras, gravacaoContinuaMb }: Applied): [RecordedCamera[], number] {
  const recorded = cameras
    .filter(({ desejada }) => desejada.gravacao_continua === true)
    .map(({ desejada, task }) => ({
      id: desejada.id,
      fontes: task?.fontes ?? null,
      erased: desejada.gravacao_apagada ?? [],
      isMasked: (desejada.mascaras ?? []).length > 0,
    }))
  return [recorded, gravacaoContinuaMb * MB]
}
