import { invalid } from '@vigia/contracts/errors'
import { isMasked, restorePassword } from '@vigia/rtsp/mask'

/**
 * The URL that is meant by `sent`: one that comes back with `****` as its password keeps the password of the first of
 * `stored` that has one.
 * @throws VigiaError `validacao` on `["body", field]` when none has.
 */
export function resolveUrl(field: string, sent: string, stored: readonly (string | null)[]): string {
  if (!isMasked(sent)) return sent
  for (const url of stored) {
    const restored = url === null ? null : restorePassword(sent, url)
    if (restored !== null) return restored
  }
  throw invalid(['body', field], 'Não há senha guardada para esta URL: escreva a senha no lugar de ****')
}
