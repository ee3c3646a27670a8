import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouteContext } from '@tanstack/react-router'
import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import { type Incidente, incidenteSchema, type RespostaIncidente } from '@vigia/contracts/incidentes'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { formErrors } from '../../../ui/form-errors.ts'

/** Duration of the silence of a camera by one key. */
export const SILENCE_MIN = 15

/** Id of the field of the note, which a key of Plantão focuses. */
export const NOTE_ID = 'nota-da-resposta'

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
  /** Note that the next answer takes along. */
  readonly nota: string
  write(nota: string): void
  answer(resposta: RespostaIncidente): void
  /** Says that the login takes care of the incidente, or that nobody does. */
  take(assumido: boolean): void
  /** @param minutos 0 ends the silence */
  silence(minutos: number): void
}

/** Answers one incidente and silences its camera. All screens receive the result by the stream. */
export function useAnswer(incidente: Pick<Incidente, 'id' | 'camera_id' | 'camera_nome'>): Answering {
  const { t } = useTranslation()
  const { api, incidentes } = useServices()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [draft, setDraft] = useState({ id: incidente.id, nota: '' })
  const nota = draft.id === incidente.id ? draft.nota : ''
  const answering = useMutation({
    mutationFn: ({ id, resposta, nota }: { id: number; resposta: RespostaIncidente; nota: string }) =>
      api.send('POST', `/incidentes/${id}/atendimento`, { resposta, nota: nota.trim() || null }, incidenteSchema),
    onSuccess(answered, { id, resposta }) {
      incidentes.put([answered], 'stream')
      setDraft((now) => (now.id === id ? { id, nota: '' } : now))
      void queries.invalidateQueries({ queryKey: ['incidente', answered.id] })
      announce(t('plantao.resposta.guardada', { resposta: t(`plantao.resposta.${resposta}`) }))
    },
  })
  const taking = useMutation({
    mutationFn: ({ id, assumido }: { id: number; assumido: boolean }) =>
      api.send('POST', `/incidentes/${id}/assumir`, { assumido }, incidenteSchema),
    onSuccess(taken, { assumido }) {
      incidentes.put([taken], 'stream')
      void queries.invalidateQueries({ queryKey: ['incidente', taken.id] })
      announce(t(assumido ? 'plantao.assumir.feito' : 'plantao.assumir.desfeito'))
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
  const error = (concerns ? answering.error : null) ?? silencing.error ?? taking.error
  return {
    pending: answering.isPending && concerns ? (answering.variables?.resposta ?? null) : null,
    failure: error ? formErrors(error, []).general : null,
    nota,
    write: (text) => setDraft({ id: incidente.id, nota: text }),
    answer(resposta) {
      silencing.reset()
      taking.reset()
      if (!(answering.isPending && concerns)) answering.mutate({ id: incidente.id, resposta, nota })
    },
    take(assumido) {
      answering.reset()
      silencing.reset()
      if (!taking.isPending) taking.mutate({ id: incidente.id, assumido })
    },
    silence(minutos) {
      answering.reset()
      taking.reset()
      if (!silencing.isPending) silencing.mutate(minutos)
    },
  }
}
