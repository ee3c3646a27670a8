import type { Clipe, ConfirmacaoExtra, SemClipe, SemClipes } from '@vigia/contracts/extras'
import { fitsItsPixels, jpegSize } from '@vigia/link/jpeg-size'
import type { MediaFile } from '../../../adapters/media-store/interface.ts'
import { MAX_INSTANTE } from './candidate-row.ts'
import type { Absence, KnownClipes, NewClipe } from './clipe-store.ts'

interface Planned {
  readonly resposta: Pick<ConfirmacaoExtra, 'resultado' | 'motivo'>
  readonly clipe: NewClipe | null
  readonly ausencias: readonly Absence[]
  readonly midia: MediaFile | null
}

/** Longest side of a preview strip, in pixels. */
const MAX_SIDE = 4_096

const nothing = { clipe: null, ausencias: [], midia: null }
const refused = (motivo: string): Planned => ({ ...nothing, resposta: { resultado: 'recusado', motivo } })
/** State of a new clip, whose file is still on the edge. */
const onEdge = { estado: 'na_caixa', motivo: null, pedido_em: null, guardado_em: null } as const
const stored = { resultado: 'gravado', motivo: null } as const

/** Plans the clips of one message, one by one. @param now cloud clock in epoch ms */
export function createClipePlan(
  known: KnownClipes,
  { edgeId, now }: { readonly edgeId: number; readonly now: number },
) {
  const uuids = new Set(known.uuids)
  const taken = new Set(known.clipeDe.keys())

  const eventoOf = (uuid: string, cameraId: number) => {
    const evento = known.eventos.get(uuid.toLowerCase())
    return evento?.edge_id === edgeId && evento.camera_id === cameraId ? evento : undefined
  }

  function absencesOf({ evento: uuid, camera_id, motivo }: Pick<SemClipe, 'evento' | 'camera_id' | 'motivo'>) {
    const evento = eventoOf(uuid, camera_id)
    if (!evento) return null
    const clipe_id = known.clipeDe.get(evento.id) ?? null
    // A clip of the same message is newer than its absence.
    return clipe_id === null && taken.has(evento.id) ? [] : [{ evento_id: evento.id, clipe_id, motivo }]
  }

  function planAbsence(extra: SemClipe): Planned {
    const ausencias = absencesOf(extra)
    if (!ausencias) return refused('O evento do clipe não existe.')
    return { ...nothing, resposta: stored, ausencias }
  }

  /** Events that the cloud does not know are none of the list. */
  function planAbsences({ id, camera_id, motivo }: SemClipes): Planned {
    const uuids = known.listas.get(id)
    if (!uuids) return refused('A mensagem tem listas demais de eventos sem clipe.')
    const ausencias = uuids.flatMap((evento) => absencesOf({ evento, camera_id, motivo }) ?? [])
    return { ...nothing, resposta: stored, ausencias }
  }

  function planClipe(extra: Clipe, imagem: Buffer): Planned {
    const uuid = extra.id.toLowerCase()
    if (uuids.has(uuid)) return { ...nothing, resposta: { resultado: 'repetido', motivo: null } }
    const found = extra.eventos.flatMap(({ evento: of, deslocamento_ms }) => {
      const evento = eventoOf(of, extra.camera_id)
      return evento ? [{ evento, deslocamento_ms: Math.min(deslocamento_ms, extra.duracao_ms) }] : []
    })
    const [first] = found
    if (!first) return refused('Nenhum evento do clipe existe.')
    // A camera that moved to another Empresa during the clip.
    const { empresa_id } = first.evento
    const own = found.filter(({ evento }) => evento.empresa_id === empresa_id && !taken.has(evento.id))
    if (own.length === 0) return refused('Os eventos do clipe já têm outro.')
    if (extra.inicio > MAX_INSTANTE) return refused('O instante do clipe não é válido.')
    const size = extra.imagem && jpegSize(imagem)
    if (extra.imagem && (!size || Math.max(size.width, size.height) > MAX_SIDE))
      return refused('A tira do clipe não é um JPEG válido, ou é grande demais.')
    uuids.add(uuid)
    // A strip with more bytes than its pixels need is left out; the clip is stored.
    const tira = extra.imagem && size && fitsItsPixels(imagem, size) ? `${mediaStem(uuid, now)}.jpg` : null
    const membros = [...new Map(own.map((one) => [one.evento.id, one])).values()]
    for (const { evento } of membros) taken.add(evento.id)
    const { inicio, duracao_ms, codec, codecs, largura, altura, tamanho, sha256, camera_id } = extra
    const file = { inicio, duracao_ms, codec, codecs, largura, altura, tamanho, sha256 }
    return {
      resposta: stored,
      clipe: {
        linha: {
          uuid,
          empresa_id,
          camera_id,
          edge_id: edgeId,
          ...file,
          ...onEdge,
          recebido_em: now,
          desejado: membros.some(({ evento }) => evento.veredito_decisao === 'confirmado') ? 1 : 0,
          caminho: `${mediaStem(uuid, now)}.mp4`,
          tira,
        },
        membros: membros.map(({ evento, deslocamento_ms }) => ({ evento_id: evento.id, deslocamento_ms })),
      },
      ausencias: [],
      midia: tira === null ? null : { path: tira, bytes: imagem },
    }
  }

  return (extra: Clipe | SemClipe | SemClipes, imagem: Buffer): Planned => {
    if (extra.tipo === 'sem_clipes') return planAbsences(extra)
    return extra.tipo === 'clipe' ? planClipe(extra, imagem) : planAbsence(extra)
  }
}

/** Folders are named by the cloud's day of arrival, because an edge's clock is not trusted. */
const mediaStem = (uuid: string, epochMs: number): string =>
  `clipes/${new Date(epochMs).toISOString().slice(0, 10).replaceAll('-', '/')}/${uuid}`
