import type { CameraFailure } from '@vigia/contracts/camera-failures'
import type { Causa } from '@vigia/contracts/causa'
import type { Comando, FalhaPedido } from '@vigia/contracts/pedidos'
import { type AllowedCidrs, canonicalHost, resolveAllowed } from '@vigia/rtsp/address-policy'
import { type ContactSlots, withSlot } from '@vigia/rtsp/contact'
import { streamUrl } from '@vigia/rtsp/maker-urls'
import { listOnvifChannels } from '@vigia/rtsp/onvif'
import { onvifUrl } from '@vigia/rtsp/onvif-url'
import type { StillAnswer } from '../stills/protocol.ts'
import type { StillTaker } from '../stills/still-taker.ts'
import { createHostSlots, createOwnSlots } from '../supervisor/host-slots.ts'
import type { Handlers } from './handle-command.ts'

/** Simultaneous pictures of the edge: each decodes video beside the cameras. */
const AT_ONCE = 2
/** Some recorders send a keyframe every ten seconds only. */
const STILL_MS = 12_000
/** A picture arrives this long before the deadline, or not at all. */
const REST_MS = 1_500

type CaptureCommand = Extract<Comando, { acao: 'capturar_canal' }>
type Urls =
  | { readonly ok: true; readonly urls: readonly string[] }
  | { readonly ok: false; readonly falha: FalhaPedido }

/** Takes one picture of a canal that no camera reads, under the address policy of probes. */
export function createCanalPictureHandler({
  allowed,
  slots,
  stills,
}: {
  readonly allowed: AllowedCidrs
  readonly slots: ContactSlots
  readonly stills: StillTaker
}): Pick<Handlers, 'capturar_canal'> {
  /** One queue for all devices. */
  const pictureSlots = createOwnSlots(createHostSlots(AT_ONCE))
  return {
    async capturar_canal(comando, { signal, prazoMs }) {
      const endsAtMs = performance.now() + Math.max(prazoMs / 2, prazoMs - REST_MS)
      const slot = await pictureSlots.acquire({ host: 'imagens', use: 'http', signal })
      if (!slot) return { ok: false, falha: 'ocupado' }
      try {
        const leftMs = () => Math.max(1, Math.round(endsAtMs - performance.now()))
        const found = await urlsOf(comando, { allowed, slots, signal, prazoMs: leftMs() / 2 })
        if (!found.ok) return found
        let failure: Failure = { falha: 'sem_quadro' }
        // The slots of a device are counted under its typed name, as those of its streams.
        const typedUrl = streamUrl('rtsp://{host}:{port}/', { ...comando, host: canonicalHost(comando.host) })
        for (const url of found.urls) {
          if (signal.aborted || leftMs() < REST_MS) break
          const timeoutMs = Math.min(STILL_MS, leftMs())
          const taken = await withSlot(typedUrl, slots, signal, () =>
            stills.take({ url, maxSide: comando.lado_maximo, timeoutMs }),
          )
          if ('kind' in taken) {
            if (taken.kind === 'full') failure = { falha: 'ocupado' }
            break
          }
          const { still } = taken
          if (still)
            return {
              ok: true,
              resultado: { largura: still.width, altura: still.height },
              corpo: Buffer.from(still.jpeg),
            }
          failure = failureOf(taken)
          // A second login with a refused password counts towards the lock-out of the recorder.
          if (failure.falha === 'senha_recusada') break
        }
        return signal.aborted ? { ok: false, falha: 'cancelado' } : { ok: false, ...failure }
      } finally {
        slot.release()
      }
    },
  }
}

interface Failure {
  readonly falha: FalhaPedido
  readonly causa?: Causa
}

function failureOf({ failure, detail }: Pick<StillAnswer, 'failure' | 'detail'>): Failure {
  if (failure === null) return { falha: 'sem_quadro' }
  if (failure === 'senha_recusada') return { falha: failure }
  return { falha: failures[failure] ?? 'sem_quadro', causa: { motivo: failure, complemento: detail } }
}

/** For clouds that do not know `causa`. */
const failures: Partial<Record<CameraFailure, FalhaPedido>> = {
  nao_encontrado: 'fluxo_inexistente',
  redirecionado: 'fluxo_inexistente',
  sem_video: 'fluxo_inexistente',
  codec_nao_suportado: 'fluxo_inexistente',
  conexao_recusada: 'inalcancavel',
  sem_rota: 'inalcancavel',
  sem_resposta: 'inalcancavel',
  equipamento_ocupado: 'ocupado',
}

/** Addresses of the canal with the checked IP address in place of the name, which is not resolved again. */
async function urlsOf(
  comando: CaptureCommand,
  options: { allowed: AllowedCidrs; slots: ContactSlots; signal: AbortSignal; prazoMs: number },
): Promise<Urls> {
  const { host: typed, modelos, canal, ...access } = comando
  const resolved = await resolveAllowed(typed, options.allowed)
  if (!resolved.ok) return resolved
  const host = resolved.addresses[0] ?? typed
  if (modelos.length > 0)
    return { ok: true, urls: modelos.map((modelo) => streamUrl(modelo, { ...access, host, canal })) }
  const listed = await listOnvifChannels({ ...access, host, canais: [canal] }, options)
  if (!listed.ok) return listed
  const streams = listed.canais.flatMap(({ sub, principal }) => [sub, principal]).filter((stream) => stream !== null)
  return { ok: true, urls: streams.map((stream) => onvifUrl(stream, { ...access, host })) }
}
