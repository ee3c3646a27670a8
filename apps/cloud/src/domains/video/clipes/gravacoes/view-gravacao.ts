import { causaSchema } from '@vigia/contracts/causa'
import { causaText } from '@vigia/contracts/causa-text'
import { type Gravacao, relogioGravadorSchema } from '@vigia/contracts/gravacoes'
import type { ClipeRow } from '../../../../db/clipes.ts'
import type { GravacaoRow } from '../../../../db/rows.ts'

/** A recording and its file are deleted this long after the request. */
export const KEEP_MS = 7 * 24 * 3_600_000

/** Portuguese sentence for each failure of a fetch. */
export const gravacaoFailures: Readonly<Record<NonNullable<GravacaoRow['falha']>, string>> = {
  sem_arquivo:
    'O Vigia ainda não sabe reproduzir gravações deste modelo de gravador. Abra a gravação no próprio gravador. Para ' +
    'ter as próximas aqui, ligue a gravação contínua em Prova e saúde da câmera.',
  sem_gravacao: 'O gravador não tem gravação deste horário. Confira o horário, e se ele grava esta câmera.',
  mascara:
    'Esta câmera tem máscara de privacidade, e a caixa não pode cobrir a gravação. Atualize a caixa, ou abra a ' +
    'gravação no próprio gravador.',
  senha_recusada: 'O gravador recusou o usuário ou a senha. Confira as credenciais da câmera e busque outra vez.',
  inalcancavel: 'A caixa não alcançou o gravador. Confira se ele está ligado e na rede, e busque outra vez.',
  codec_desconhecido: 'A gravação usa um codec que o Vigia não lê. Mude o gravador para H.264 ou H.265.',
  disco_cheio: 'O disco da caixa está cheio. Libere espaço na caixa e busque outra vez.',
  disco_indisponivel: 'O disco da caixa não grava. Confira o disco da caixa e busque outra vez.',
  interno: 'A caixa falhou ao buscar a gravação. Busque outra vez.',
  edge_antigo: 'A caixa está com uma versão antiga, que não busca gravações. Atualize-a e busque outra vez.',
  tempo_esgotado: 'O gravador ou a caixa não atendeu em 3 horas. Confira os dois e busque outra vez.',
}
const DELETED = 'O arquivo foi apagado da central, pelo prazo de guarda ou para liberar espaço. Busque outra vez.'
const LOST = 'A caixa perdeu o arquivo antes de enviá-lo. Busque outra vez.'

/** The same for a recorder that answers that it is busy. */
export const GRAVADOR_OCUPADO = 'O gravador não atende a reprodução agora. A caixa tenta de novo, por até 10 minutos.'

/** The same for a fetch that waits or runs. */
export const gravacaoWaits = {
  na_fila: 'Espera a vez: o gravador reproduz uma gravação por vez, e a detecção e o ao vivo vêm antes.',
  recebendo: null,
} as const

const instant = (epochMs: number): string => new Date(epochMs).toISOString()

const uncertain = (de: number, ms: number) => ({ de: instant(de), ate: instant(de + ms) })

/** @param clipe the file, as far as the edge has one */
export function viewGravacao(row: GravacaoRow, clipe: ClipeRow | undefined): Gravacao {
  const { id, empresa_id, camera_id, inicio, fim, progresso, pedida_por, criada_em } = row
  const isStored = clipe?.estado === 'guardado'
  return {
    id,
    empresa_id,
    camera_id,
    inicio: instant(inicio),
    fim: instant(fim),
    progresso,
    pedida_por,
    ...stateOf(row, clipe),
    arquivo_url: isStored ? `/api/v1/gravacoes/${id}/arquivo` : null,
    arquivo_inicio: clipe ? instant(clipe.inicio) : null,
    duracao_ms: clipe?.duracao_ms ?? null,
    codecs: clipe?.codecs ?? null,
    tamanho: clipe?.tamanho ?? null,
    sha256: clipe?.sha256 ?? null,
    completa: row.completa === null ? null : row.completa === 1,
    fonte: row.fonte,
    relogio: row.relogio_json === null ? null : relogioGravadorSchema.parse(JSON.parse(row.relogio_json)),
    ...(clipe && row.incerta_ms !== null && { hora_incerta: uncertain(clipe.inicio, row.incerta_ms) }),
    criada_em: instant(criada_em),
    expira_em: instant(criada_em + KEEP_MS),
  }
}

function stateOf(row: GravacaoRow, clipe: ClipeRow | undefined): Pick<Gravacao, 'estado' | 'detalhe'> {
  const { estado, falha, completa } = row
  const causa = row.causa_json === null ? null : causaSchema.parse(JSON.parse(row.causa_json))
  if (estado === 'falhou')
    return { estado, detalhe: (causa && causaText(causa)) ?? gravacaoFailures[falha ?? 'interno'] }
  if (estado === 'na_fila' && causa !== null)
    return { estado, detalhe: [GRAVADOR_OCUPADO, ...(causa.complemento ? [`(${causa.complemento})`] : [])].join(' ') }
  if (estado !== 'recebida') return { estado, detalhe: gravacaoWaits[estado] }
  if (!clipe) return { estado: 'falhou', detalhe: DELETED }
  if (clipe.estado === 'perdido') return { estado: 'falhou', detalhe: LOST }
  if (clipe.estado !== 'guardado') return { estado: 'enviando', detalhe: 'A caixa está enviando o arquivo.' }
  return { estado: 'pronta', detalhe: completa === 0 ? 'A gravação tem uma falta, e o arquivo termina nela.' : null }
}
