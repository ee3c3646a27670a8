import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nomesIas } from '@vigia/contracts/ias'
import { writeBusy, writeQuiet } from './footage.ts'
import { type LoadReport, measureLoad } from './measure.ts'

/**
 * Minimum frames a second at the gate, and on the busy scene at the models. With fewer (a machine with other work), the
 * CPU time is not that of the whole work.
 */
const LEAST_FPS = 4.5
/** The models load, the gate learns its background, and after ten seconds a scene without motion is still. */
const SETTLE_MS = 20_000

/** `cores`: largest CPU time of one camera with all IAs, capture and main process together. */
const scenes = [
  { cena: 'quieta', write: writeQuiet, cores: 0.05, infersAll: false },
  { cena: 'movimentada', write: writeBusy, cores: 0.35, infersAll: true },
] as const

export interface SceneReport extends LoadReport {
  readonly cena: (typeof scenes)[number]['cena']
  readonly nucleos: number
  readonly limite: number
  /** Enough frames a second for a valid measurement. */
  readonly valida: boolean
  readonly ok: boolean
}

/** Measures one camera with all IAs over RTSP, `seconds` on a quiet and `seconds` on a busy scene. */
export async function measureScenes(
  seconds: number,
  onProgress: (fraction: number, title: string) => void,
): Promise<SceneReport[]> {
  const dir = await mkdtemp(join(tmpdir(), 'vigia-carga-'))
  try {
    const reports: SceneReport[] = []
    for (const [index, { cena, write, cores, infersAll }] of scenes.entries()) {
      const report = (fraction: number, title: string) =>
        onProgress((index + fraction) / scenes.length, `${cena}: ${title}`)
      report(0, 'prepara o vídeo')
      const footage = join(dir, `${cena}.mkv`)
      await write(footage)
      const measured = await measureLoad({
        cameras: 1,
        seconds,
        ias: nomesIas,
        footage,
        settleMs: SETTLE_MS,
        onProgress: report,
      })
      const nucleos = measured.cpu_por_camera + measured.cpu_principal
      const analysed = infersAll ? Math.min(measured.quadros_por_s, measured.olhares_por_s) : measured.quadros_por_s
      const valida = analysed >= LEAST_FPS
      reports.push({ ...measured, cena, nucleos, limite: cores, valida, ok: valida && nucleos <= cores })
    }
    return reports
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
