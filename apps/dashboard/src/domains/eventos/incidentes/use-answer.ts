import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import { type Incidente, incidenteSchema, type RespostaIncidente } from '@vigia/contracts/incidentes'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'

/** Duration of the silence of a camera by one key. */
export const SILENCE_MIN = 15

export const respostas = ['verdadeiro', 'falso', 'nao_sei'] as const satisfies readonly RespostaIncidente[]

/** Whether this login answers incidentes and silences cameras. */
export function useMayWork(): boolean {
  const { me } = useRouteContext({ from: '/painel' })
  return me.papel !== 'usuario'
}

export interface Answering {
  readonly pending: RespostaIncidente | null
  /** Portuguese or English sentence; null: the last answer was stored. */
  readonly failure: string | null
  answer(resposta: RespostaIncidente): void
  /** @param minutos 0 ends the silence */
  silence(minutos: number): void
}

/** Answers one incidente and silences its camera. All screens receive the result by the stream. */
export function useAnswer(incidente: Pick<Incidente, 'id' | 'camera_id' | 'camera_nome'>): Answering {
  const { t } = useTranslation()
  const { api, incidentes } = useServices()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const answering = useMutation({
    mutationFn: ({ id, resposta }: { id: number; resposta: RespostaIncidente }) =>
      api.send('POST', `/incidentes/${id}/atendimento`, { resposta }, incidenteSchema),
    onSuccess(answered, { resposta }) {
      incidentes.put([answered], 'stream')
      void queries.invalidateQueries({ queryKey: ['incidente', answered.id] })
      announce(t('plantao.resposta.guardada', { resposta: t(`plantao.resposta.${resposta}`) }))
    },
  })
  const silencing = useMutation({
    mutationFn: (minutos: number) =>
      api.send('POST', `/cameras/${incidente.camera_id}/silenciar`, { minutos }, cameraSchema),
    onSuccess(camera, minutos) {
      for (const [key, list] of queries.getQueriesData<Camera[]>({ queryKey: ['cameras'] }))
        if (list)
          queries.setQueryData(
            key,
            list.map((one) => (one.id === camera.id ? camera : one)),
          )
      announce(t(minutos > 0 ? 'plantao.resposta.silenciada' : 'plantao.resposta.comSom', { nome: camera.nome }))
    },
  })
  const concerns = answering.variables?.id === incidente.id
  const error = (concerns ? answering.error : null) ?? silencing.error
  return {
    pending: answering.isPending && concerns ? (answering.variables?.resposta ?? null) : null,
    failure: error ? formErrors(error, []).general : null,
    answer(resposta) {
      silencing.reset()
      if (!(answering.isPending && concerns)) answering.mutate({ id: incidente.id, resposta })
    },
    silence(minutos) {
      answering.reset()
      if (!silencing.isPending) silencing.mutate(minutos)
    },
  }
}
