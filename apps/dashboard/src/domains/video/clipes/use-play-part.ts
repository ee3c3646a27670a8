import { useMutation } from '@tanstack/react-query'
import { type Gravacao, gravacaoSchema, MAX_GRAVACAO_MS } from '@vigia/contracts/gravacoes'
import { useServices } from '../../../session/services.ts'
import type { Span } from '../../../ui/hour-view.ts'
import { gravacoesQuery } from './gravacoes-query.ts'

/** Whether a recording has this instant, epoch ms. */
export const holds = ({ inicio, fim }: Pick<Gravacao, 'inicio' | 'fim'>, ms: number): boolean =>
  Date.parse(inicio) <= ms && ms < Date.parse(fim)

/**
 * Chooses what plays a part of a camera's archive. A recording that was fetched or is under way comes first. Otherwise
 * the recorder is asked for at most 15 minutes. `onChosen` gets the recording, whose video may still be missing.
 */
export function usePlayPart(camera: number, onChosen: (gravacao: Gravacao, part: Span) => void) {
  const { api, queries } = useServices()
  return useMutation({
    async mutationFn({ desde, ate }: Span) {
      const list = gravacoesQuery(api, camera)
      const known = await queries.fetchQuery({ ...list, staleTime: 0 })
      const own = known.find((one) => one.estado !== 'falhou' && holds(one, desde))
      if (own) return own
      const end = Math.min(ate, desde + MAX_GRAVACAO_MS, Date.now())
      const [inicio, fim] = [desde, end].map((ms) => new Date(ms).toISOString())
      const asked = await api.send('POST', `/cameras/${camera}/gravacoes`, { inicio, fim }, gravacaoSchema)
      await queries.invalidateQueries({ queryKey: list.queryKey })
      return asked
    },
    onSuccess: (gravacao, part) => onChosen(gravacao, part),
  })
}
