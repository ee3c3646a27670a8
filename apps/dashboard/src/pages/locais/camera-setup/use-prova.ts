import { useMutation } from '@tanstack/react-query'
import { provaEmCursoSchema } from '@vigia/contracts/provas'
import { useEffect, useRef } from 'react'
import { useServices } from '../../../session/services.ts'
import { formErrors } from '../../../ui/form-errors.ts'

/** Arms a camera for its walk test, and disarms it at the end, also when the person leaves the page. */
export function useProva(cameraId: number) {
  const { api } = useServices()
  const runs = useRef(false)
  const turn = useMutation({
    mutationFn: (ativa: boolean) =>
      api.send('PUT', `/cameras/${cameraId}/provas/andamento`, { ativa }, provaEmCursoSchema),
  })
  const { mutate, mutateAsync } = turn
  useEffect(
    () => () => {
      if (runs.current) mutate(false)
    },
    [mutate],
  )
  return {
    isBusy: turn.isPending,
    failure: turn.error ? formErrors(turn.error, []).general : null,
    /** Why the box did not arm, in Portuguese; null: it did, or no test has begun. */
    detalhe: turn.data?.ate ? turn.data.detalhe : null,
    async begin() {
      await mutateAsync(true)
      runs.current = true
    },
    end() {
      if (runs.current) mutate(false)
      runs.current = false
    },
  }
}
