import { invalid } from '@vigia/contracts/errors'
import { isMasked, restorePassword } from '@vigia/rtsp/mask'

/**
 * Returns the URL of `sent`. The password `****` is replaced by the first password in `stored`.
 * @throws VigiaError `validacao` on `["body", field]` if `stored` has no password.
 */
export function resolveUrl(field: string, sent: string, stored: readonly (string | null)[]): string {
  if (!isMasked(sent)) return sent
  for (const url of stored) {
    const restored = url === null ? null : restorePassword(sent, url)
    if (restored !== null) return restored
  }
  throw invalid(['body', field], 'Não há senha guardada para esta URL: escreva a senha no lugar de ****')
}
