import type { Relato } from '@vigia/contracts/edge-state'
import { MAX_PACKET_BYTES } from '@vigia/link/limits'
import { edgeStatus } from './edge-status.ts'
import { formatInstant } from './format-instant.ts'
import { kilobytes } from './format-size.ts'
import type { EdgeRow } from './store.ts'

/** An identity counts as duplicated for this time after two programs last alternated on it. */
const DUPLICADO_MS = 3_600_000

/** Whether two programs recently used this identity. @param duplicadoEm time of their last alternation in epoch ms */
export const isDuplicated = (duplicadoEm: number | null, now: number): boolean =>
  duplicadoEm !== null && now - duplicadoEm < DUPLICADO_MS

const CLOCK_MS = 60_000
/** Share of the whole disk. */
const DISK_SHARE = 0.05
/** Renewal happens years before the end of a certificate; this close to it, renewal has failed. */
const CERTIFICATE_MS = 60 * 86_400_000

/** Returns Portuguese advice for the administrador of an edge, most urgent first; null: no action needed. */
export function edgeAdvice(row: EdgeRow, relato: Omit<Relato, 'cameras'> | null, now: number): string | null {
  const status = edgeStatus(row, now)
  if (status === 'aguardando') return waiting(row, now)
  const sentences = [
    isDuplicated(row.duplicado_em, now)
      ? 'Duas caixas usam a identidade desta caixa: provavelmente o disco de uma foi copiado. ' +
        'Ative uma das duas com um código novo: deste cadastro, para ficar só com ela, ou de outro, para usar as duas.'
      : null,
    certificate(row, now),
    oversized(row),
    ...(status === 'offline' ? [offline(row)] : relato ? condition(relato) : []),
  ].filter((sentence) => sentence !== null)
  return sentences.length === 0 ? null : sentences.join(' ')
}

function oversized({ local, desejado_grande_bytes }: EdgeRow): string | null {
  if (desejado_grande_bytes === null) return null
  const what =
    local === 1
      ? 'Simplifique as zonas das câmeras, ou cadastre uma caixa própria para as Empresas maiores ' +
        'e, nela, as câmeras delas'
      : 'Simplifique as zonas das câmeras, ou remova parte delas e cadastre-as em outra caixa'
  const size = `ela tem ${kilobytes(desejado_grande_bytes)}, e o máximo é ${kilobytes(MAX_PACKET_BYTES)}`
  const effect = 'A caixa segue com a última que recebeu, e mudanças novas não chegam a ela'
  return `Configuração grande demais: ${size}. ${effect}. ${what}.`
}

function waiting({ local, codigo_expira_em, fuso_horario }: EdgeRow, now: number): string {
  if (local === 1) return 'A caixa desta instalação ainda não iniciou. Inicie-a: ela se ativa sozinha.'
  if (codigo_expira_em === null || codigo_expira_em <= now)
    return 'Ainda não ativado, e o código de ativação venceu. Gere um código novo e informe-o na caixa.'
  const until = formatInstant(codigo_expira_em, fuso_horario)
  return `Ainda não ativado. Informe o código de ativação na caixa até ${until}.`
}

const offline = ({ visto_em, fuso_horario }: EdgeRow): string =>
  visto_em === null
    ? 'Ativado, mas ainda não se conectou. Confira se a caixa alcança este servidor.'
    : `Sem contato desde ${formatInstant(visto_em, fuso_horario)}. Confira a energia e a internet da caixa.`

function certificate({ certificado_vence_em, fuso_horario }: EdgeRow, now: number): string | null {
  if (certificado_vence_em === null || certificado_vence_em - now > CERTIFICATE_MS) return null
  const when = formatInstant(certificado_vence_em, fuso_horario)
  return certificado_vence_em <= now
    ? `O certificado da caixa venceu em ${when}. Gere um código de ativação novo e informe-o na caixa.`
    : `O certificado da caixa vence em ${when} e não foi renovado. ` +
        'Atualize o programa da caixa ou ative-a com um código novo.'
}

function condition(relato: Omit<Relato, 'cameras'>): (string | null)[] {
  const { fila_memoria, disco_gravavel, disco, relogio, hora, pacote_video } = relato
  return [
    pacote_video === false ? NO_VIDEO : null,
    fila_memoria > 0
      ? `O disco da caixa não grava: ${fila_memoria} eventos esperam na memória e se perdem se ela desligar. ` +
        'Confira o disco ou troque-o.'
      : disco_gravavel
        ? null
        : 'O disco da caixa não grava: ela guarda os eventos só na memória, e perde os que esperarem se desligar. ' +
          'Confira o disco ou troque-o.',
    disco !== null && disco.total > 0 && disco.livre / disco.total < DISK_SHARE
      ? 'O disco da caixa está quase cheio. Libere espaço: sem ele os eventos mais antigos são descartados.'
      : null,
    hora?.estado === 'desconhecida' ? NO_TIME : clock(relogio),
  ]
}

const NO_VIDEO =
  'Falta nesta caixa o pacote de vídeo (node-av): nenhuma câmera dela tem imagem. Instale-o na caixa: ela o procura ' +
  'sozinha e começa sem reiniciar.'

const NO_TIME =
  'A caixa ligou sem saber a hora. Ela espera um servidor de hora (NTP) ou a resposta da central; até lá as IAs ' +
  'ficam armadas o tempo todo, e os eventos saem com a hora corrigida.'

function clock({ desvio_ms, sincronizado }: Relato['relogio']): string | null {
  if (desvio_ms !== null && Math.abs(desvio_ms) > CLOCK_MS) {
    const side = desvio_ms > 0 ? 'adiantado' : 'atrasado'
    return `O relógio da caixa está ${minutes(Math.abs(desvio_ms))} ${side}. Confira nela o servidor de hora (NTP).`
  }
  // A correct clock needs no advice, even if no time service is known.
  return sincronizado || desvio_ms !== null
    ? null
    : 'O relógio da caixa não está sincronizado com um servidor de hora. Confira nela o serviço de NTP.'
}

function minutes(ms: number): string {
  const whole = Math.round(ms / 60_000)
  if (whole >= 2 * 1440) return `${Math.round(whole / 1440)} dias`
  if (whole >= 120) return `${Math.round(whole / 60)} horas`
  return whole === 1 ? '1 minuto' : `${whole} minutos`
}
