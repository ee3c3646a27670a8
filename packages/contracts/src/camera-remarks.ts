import { cameraFailureText } from './camera-failures.ts'
import type { Causa } from './causa.ts'

/** Remark on a device that accepts only so many connections of the edge, as the edge has learned; null: no limit. */
export const fewConnectionsText = (count: number | null): string | null =>
  count === null
    ? null
    : 'O equipamento derruba ou piora o vídeo da análise com mais de ' +
      `${count === 1 ? 'uma conexão' : `${count} conexões`} da caixa. ` +
      'A caixa não abre mais do que isso, e usa para fotos e ao vivo o fluxo que já tem.'

/** Remark on a camera whose main stream is read because its sub stream does not work. */
export const deadSubText = ({ motivo, complemento }: Causa): string =>
  'O fluxo secundário não funciona, e a caixa lê o principal no lugar dele, que pesa mais na rede e na caixa. ' +
  cameraFailureText(motivo, complemento)

const MINUTE_S = 60
const HOUR_S = 3600
/** Likely cause of a connection that ends with a period of at most so many seconds, and the remedy. */
const causes: readonly (readonly [atMostS: number, text: string])[] = [
  [
    3 * MINUTE_S,
    'o equipamento encerra a sessão no prazo dela. Atualize o firmware dele e informe o modelo ao suporte',
  ],
  [30 * MINUTE_S, 'gente demais assiste ao equipamento, ou ele limita o tempo de cada um. Feche outros acessos a ele'],
  [20 * HOUR_S, 'o equipamento trava e se reinicia, ou troca de endereço (DHCP). Dê a ele um endereço IP fixo'],
  [28 * HOUR_S, 'o equipamento tem um reinício diário programado. Mude a hora dele no menu de manutenção'],
]

/** Remark on a connection that ends with this period, with its likely cause; null: it ends without one. */
export function flappingText(periodS: number | null): string | null {
  if (periodS === null) return null
  const cause = causes.find(([atMostS]) => periodS <= atMostS)?.[1] ?? 'algo no equipamento ou na rede tem essa hora'
  return `O vídeo cai a cada ${spokenPeriod(periodS)}. Causa provável: ${cause}.`
}

const spokenPeriod = (seconds: number): string =>
  seconds < 2 * MINUTE_S
    ? `${seconds} s`
    : seconds < 2 * HOUR_S
      ? `${Math.round(seconds / MINUTE_S)} min`
      : `${Math.round(seconds / HOUR_S)} h`
