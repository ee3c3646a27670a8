import { z } from 'zod'

/** Kinds of canal; each has an entry in `problems`, a sender in the cloud, and texts on the dashboard. */
export const tiposCanal = ['webhook', 'whatsapp', 'email', 'telegram', 'mqtt'] as const
export type TipoCanal = (typeof tiposCanal)[number]

/** Problem of a destination, in Portuguese; null: none. */
type Problem = (destino: string) => string | null

const matches =
  (pattern: RegExp, problem: string): Problem =>
  (destino) =>
    pattern.test(destino) ? null : problem

const problems: Readonly<Record<TipoCanal, Problem>> = {
  webhook(destino) {
    const url = URL.parse(destino)
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
      return 'Use uma URL http:// ou https://, por exemplo https://exemplo.com.br/vigia'
    return url.username === '' && url.password === '' ? null : 'Não ponha usuário nem senha na URL do webhook'
  },
  whatsapp: matches(/^\+[1-9]\d{7,14}$/, 'Use o número com país e DDD, só dígitos: +5511987654321'),
  email: (destino) =>
    z.email().safeParse(destino).success ? null : 'Use um endereço de e-mail, por exemplo guarita@exemplo.com.br',
  telegram: matches(
    /^(-?[1-9]\d{0,19}|@[A-Za-z]\w{3,31})$/,
    'Use o número da conversa do Telegram, por exemplo -1001234567890, ou o @nome de um canal público',
  ),
  mqtt(destino) {
    const url = URL.parse(destino)
    if ((url?.protocol !== 'mqtt:' && url?.protocol !== 'mqtts:') || url.hostname === '')
      return 'Use uma URL mqtt:// ou mqtts://, por exemplo mqtts://casa.exemplo.com.br/vigia'
    if (url.username !== '' || url.password !== '') return 'Ponha usuário e senha nos campos deles, não na URL'
    // `+` and `#` are wildcards, `$` begins the topics of the broker itself (MQTT 3.1.1, section 4.7).
    return /^(\/[\w.-]+)*\/?$/.test(url.pathname) && url.search === '' && url.hash === ''
      ? null
      : 'Use no prefixo dos tópicos só letras, dígitos, ponto, hífen e /'
  },
}

/**
 * Returns the problem of `destino` for that kind of channel, in Portuguese; null: none. An empty string is a missing
 * destination.
 */
export const destinationProblem = (tipo: TipoCanal, destino: string): string | null =>
  destino === '' ? null : problems[tipo](destino)
