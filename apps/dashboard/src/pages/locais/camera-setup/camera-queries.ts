import { queryOptions } from '@tanstack/react-query'
import { ajusteSchema } from '@vigia/contracts/ajustes'
import { audioSchema } from '@vigia/contracts/audio'
import { type Camera, cameraSchema } from '@vigia/contracts/cameras'
import { eventoSchema } from '@vigia/contracts/eventos'
import { gravacaoContinuaSchema } from '@vigia/contracts/gravacao-continua'
import { feriadosSchema } from '@vigia/contracts/horarios'
import type { NomeIa } from '@vigia/contracts/ias'
import { mascarasSchema } from '@vigia/contracts/mascaras'
import { andamentoProvaSchema, PROVA_MAXIMA_S, provaSchema } from '@vigia/contracts/provas'
import { sugestaoSchema } from '@vigia/contracts/sugestoes'
import { transporteCameraSchema } from '@vigia/contracts/transporte'
import type { Api } from '../../../api/client.ts'

/** One camera with all its fields. */
export const cameraQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['camera', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}`, cameraSchema, signal),
    // The stream delivers status changes. Polling detects changes by another login.
    refetchInterval: 15_000,
  })

/** Whether the box applies the masks of this version of a camera. */
export const mascarasQuery = (api: Api, { id, atualizada_em }: Pick<Camera, 'id' | 'atualizada_em'>) =>
  queryOptions({
    queryKey: ['mascaras', id, atualizada_em],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/mascaras`, mascarasSchema, signal),
    refetchInterval: 3_000,
  })

/** Continuous recording of a camera on its box. */
export const gravacaoContinuaQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['gravacao-continua', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/gravacao-continua`, gravacaoContinuaSchema, signal),
    refetchInterval: 5_000,
  })

/** How the video of a camera travels to its box. */
export const transporteQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['transporte', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/transporte`, transporteCameraSchema, signal),
    refetchInterval: 5_000,
  })

/** The lists of holidays of an Empresa. */
export const feriadosQuery = (api: Api, empresaId: number) =>
  queryOptions({
    queryKey: ['feriados', empresaId],
    queryFn: ({ signal }) => api.get(`/empresas/${empresaId}/feriados`, feriadosSchema, signal),
  })

/** Whether the audio of a camera leaves its box. */
export const audioQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['audio', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/audio`, audioSchema, signal),
    refetchInterval: 5_000,
  })

/** The newest events of a camera, also refuted ones. The stream makes it fetch them again (live/apply-live.ts). */
export const eventosQuery = (api: Api, id: number, limite: number) =>
  queryOptions({
    queryKey: ['eventos', id, limite],
    queryFn: ({ signal }) => api.get(`/events?camera_id=${id}&limit=${limite}`, eventoSchema.array(), signal),
  })

/** Bias of the reviews of a camera, by IA. */
export const ajustesQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['ajustes', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/ajustes`, ajusteSchema.array(), signal),
  })

/** A `conf` that the reviews of a camera and IA suggest for a precision; asked again on each visit. */
export const suggestionQuery = (api: Api, id: number, { ia, precisao }: { ia: NomeIa; precisao: number }) =>
  queryOptions({
    queryKey: ['sugestao', id, ia, precisao],
    queryFn: ({ signal }) =>
      api.get(`/cameras/${id}/sugestao-calibracao?ia=${ia}&precisao=${precisao}`, sugestaoSchema, signal),
    gcTime: 0,
  })

/** How far a running walk has come; the server stores nothing. */
export const andamentoQuery = (api: Api, id: number, { startedAt, viu }: { startedAt: number; viu: boolean }) =>
  queryOptions({
    queryKey: ['andamento-prova', id, startedAt, viu],
    queryFn({ signal }) {
      const duracao = Math.min(PROVA_MAXIMA_S, Math.max(1, Math.ceil((Date.now() - startedAt) / 1000)))
      return api.get(`/cameras/${id}/provas/andamento?duracao_s=${duracao}&viu=${viu}`, andamentoProvaSchema, signal)
    },
    refetchInterval: 2_000,
    gcTime: 0,
  })

/** Number of fetched provas. */
export const PROVAS = 50

/** Walk tests of a camera, newest first. */
export const provasQuery = (api: Api, id: number) =>
  queryOptions({
    queryKey: ['provas', id],
    queryFn: ({ signal }) => api.get(`/cameras/${id}/provas?limit=${PROVAS}`, provaSchema.array(), signal),
  })
