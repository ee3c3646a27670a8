import type { CameraTask } from '@vigia/analysis/model'
import { rtspUrlSchema } from '@vigia/contracts/cameras'
import { type CameraDesejada, type Desejado, type Fontes, fontesSchema } from '@vigia/contracts/edge-state'
import { FUSO_PADRAO } from '@vigia/contracts/empresas'
import { GRAVACAO_CONTINUA_MB_PADRAO } from '@vigia/contracts/gravacao-continua'
import { janelaOf } from '@vigia/contracts/horarios'
import { isTimeZone } from '@vigia/ias/agenda'
import { type SealPrivateJwk, unseal } from '@vigia/link/sealed'
import type { Logger } from 'pino'
import type { DesiredStore } from './desired-store.ts'

/** One configured camera: `task` is null if it is inactive or its addresses are unreadable. */
export interface ConfiguredCamera {
  readonly desejada: CameraDesejada
  readonly task: CameraTask | null
}

export interface Applied {
  readonly versao: number
  readonly cameras: readonly ConfiguredCamera[]
  /** Largest rate of the backlog, in kbit/s; null: no limit. */
  readonly limiteReenvioKbps: number | null
  /** Kinds of extras that the cloud stores. */
  readonly recursos: readonly string[]
  /** Largest size of the recordings of all cameras, in MB. */
  readonly gravacaoContinuaMb: number
}

export interface DesiredState {
  /** Applies the stored configuration without a message from the cloud. */
  restore(): Promise<void>
  /** Applies a configuration if it is newer than the current one. */
  receive(desejado: Desejado): Promise<void>
  readonly applied: Applied
}

export interface DesiredOptions {
  readonly store: DesiredStore
  readonly key: SealPrivateJwk
  readonly log: Logger
  /** Whether pictures of main streams may be taken; no when omitted. */
  readonly mainPictures?: boolean
  onApplied(applied: Applied): void
  /** Receives the cloud's count of a camera; called with every configuration that is not older. */
  onSequence(cameraId: number, seq: number): void
}

/** Accepts only streams of a recorder: the reader would also open a local file. */
const streamsSchema = fontesSchema.refine(({ rtsp_url, sub_rtsp_url }) =>
  [rtsp_url, sub_rtsp_url ?? rtsp_url].every((url) => rtspUrlSchema.safeParse(url).success),
)

const isEqual = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((one) => b.includes(one))

export function createDesiredState(options: DesiredOptions): DesiredState {
  const { store, log } = options
  let applied: Applied = { versao: 0, cameras: [], limiteReenvioKbps: null, recursos: [], gravacaoContinuaMb: 0 }
  let isDuplicated = false
  /** Sealed text → its content; unchanged addresses are not decrypted again. */
  let opened = new Map<string, Fontes>()
  let queue = Promise.resolve()

  async function open(camera: CameraDesejada): Promise<Fontes | null> {
    const known = opened.get(camera.fontes)
    if (known) return known
    try {
      return streamsSchema.parse(await unseal(options.key, camera.fontes))
    } catch {
      // Neither error nor text is logged: both may contain the sealed secrets.
      log.error({ camera: camera.id }, 'the addresses of a camera are not readable with the key of this edge')
      return null
    }
  }

  function taskOf(camera: CameraDesejada, fontes: Fontes, recursos: readonly string[]): CameraTask {
    const zoneExists = isTimeZone(camera.fuso_horario)
    if (!zoneExists) log.error({ camera: camera.id, fuso: camera.fuso_horario }, 'unknown time zone')
    return {
      id: camera.id,
      fontes,
      analises: camera.analises.map(({ ia, calibracao, agenda, horarios }) => ({
        ia,
        calibracao,
        agenda: horarios?.map(janelaOf) ?? agenda,
      })),
      zonas: camera.zonas,
      linha: camera.linha,
      mascaras: camera.mascaras ?? [],
      fusoHorario: zoneExists ? camera.fuso_horario : FUSO_PADRAO,
      ...(camera.feriados && { feriados: camera.feriados }),
      ...(camera.audio === true && { audio: true }),
      ...(camera.transporte && { transporte: camera.transporte }),
      ...(recursos.includes('passagem') &&
        camera.modo_b && { modoB: { regiao: camera.modo_b.regiao, confPlaca: camera.modo_b.conf_placa } }),
      ...(recursos.includes('clipe') && { clips: true }),
      ...(options.mainPictures === true && recursos.includes('evidencia') && { mainPicture: true }),
    }
  }

  async function apply(desejado: Desejado): Promise<void> {
    const stillOpened = new Map<string, Fontes>()
    const cameras: ConfiguredCamera[] = []
    for (const camera of desejado.cameras) {
      const fontes = await open(camera)
      if (fontes) stillOpened.set(camera.fontes, fontes)
      cameras.push({
        desejada: camera,
        task: fontes && camera.ativa ? taskOf(camera, fontes, desejado.recursos) : null,
      })
    }
    opened = stillOpened
    const { versao, limite_reenvio_kbps: limiteReenvioKbps, recursos } = desejado
    const gravacaoContinuaMb = desejado.gravacao_continua_mb ?? GRAVACAO_CONTINUA_MB_PADRAO
    applied = { versao, cameras, limiteReenvioKbps, recursos, gravacaoContinuaMb }
    log.info({ versao: desejado.versao, cameras: cameras.length }, 'configuration applied')
    options.onApplied(applied)
  }

  function sayDuplicated({ identidade_duplicada }: Desejado): void {
    if (identidade_duplicada && !isDuplicated)
      log.error(
        'Outra caixa usa a identidade desta caixa. Se o disco foi copiado, ative uma das duas com um código novo.',
      )
    if (!identidade_duplicada && isDuplicated) log.info('Só esta caixa usa a identidade desta caixa outra vez.')
    isDuplicated = identidade_duplicada
  }

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const result = queue.then(work)
    queue = result.catch(() => {})
    return result
  }

  return {
    restore: () =>
      inTurn(async () => {
        const saved = store.load()
        if (saved) await apply(saved)
      }),
    receive: (desejado) =>
      inTurn(async () => {
        if (desejado.versao < applied.versao) return
        // Outside of the version check, because the count can advance without a new version.
        for (const { id, ultimo_seq } of desejado.cameras) options.onSequence(id, ultimo_seq)
        // An upgrade of the cloud changes its resources without a new version.
        if (desejado.versao === applied.versao && isEqual(desejado.recursos, applied.recursos)) return
        sayDuplicated(desejado)
        try {
          store.save(desejado)
        } catch (error) {
          // A temporarily full disk must not prevent the analysis; the next configuration is saved again.
          log.error({ err: error, versao: desejado.versao }, 'configuration not written to the disk')
        }
        await apply(desejado)
      }),
    get applied() {
      return applied
    },
  }
}
