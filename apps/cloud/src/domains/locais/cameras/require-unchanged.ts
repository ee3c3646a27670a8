import { VigiaError } from '@vigia/contracts/errors'

/**
 * Compares `atualizada_em` of a locked camera (epoch ms) with the header `If-Match` of a change, which names the
 * version that its author read: `"2026-11-21T12:00:00.000Z"`. Without the header every version matches.
 * @throws VigiaError `conflito`
 */
export function requireUnchanged(atualizadaEm: number, ifMatch: string | null): void {
  if (ifMatch === null || ifMatch.trim() === '*') return
  const current = new Date(atualizadaEm).toISOString()
  const named = ifMatch.split(',').map((tag) => tag.trim().replace(/^(?:W\/)?"(.*)"$/, '$1'))
  if (named.includes(current)) return
  throw new VigiaError('conflito', {
    detalhe: 'A câmera mudou depois que você a abriu. Veja como ela está agora e salve de novo.',
  })
}
