import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ResultadoCanal, resultadoCadastroSchema, resultadoCanalSchema } from '@vigia/contracts/gravadores'
import { nomesPerfis, perfil } from '@vigia/contracts/perfis'
import { hasPlaca } from '@vigia/contracts/plates-ia'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { limitesQuery } from '../../../api/people-queries.ts'
import { NOVA_EMPRESA } from '../../../domains/locais/cameras/camera-form.ts'
import { useOwner } from '../../../domains/locais/cameras/use-owner.ts'
import { useServices } from '../../../session/services.ts'
import { useAnnounce } from '../../../ui/announcer.tsx'
import { useApiForm } from '../../../ui/use-api-form.ts'
import {
  checkGravador,
  chosenCanais,
  discoveryOf,
  emptyGravador,
  type FormularioGravador,
  freeCameras,
  type PorCanal,
  registrationOf,
} from './gravador-form.ts'

export const passos = ['gravador', 'canais', 'perfil'] as const
export type Passo = (typeof passos)[number]

export type NewGravador = ReturnType<typeof useNewGravador>

/** State of the wizard. Nothing is stored before its last step. */
export function useNewGravador(initial: Partial<FormularioGravador>) {
  const { t } = useTranslation()
  const { api, queries } = useServices()
  const announce = useAnnounce()
  const navigate = useNavigate()
  const { instalacao } = useSearch({ from: '/painel/gravadores/novo' })
  const owner = useOwner({ creates: true })
  const [passo, setPasso] = useState<Passo>('gravador')
  const [visit, setVisit] = useState(0)
  const [found, setFound] = useState<readonly ResultadoCanal[]>([])
  const [pictures, setPictures] = useState<PorCanal>({})
  const [byHand, setByHand] = useState<PorCanal>({})
  const chosen = chosenCanais(found, pictures, byHand)
  const [plates, setPlates] = useState<readonly number[]>([])
  const [names, setNames] = useState<Readonly<Record<number, string>>>({})
  const form = useApiForm({
    initial: { ...emptyGravador, ...initial },
    check: checkGravador,
    sentence: (problem) => t(`gravadores.${problem}`),
  })
  const { empresa_id } = form.values
  const stored = empresa_id !== '' && empresa_id !== NOVA_EMPRESA
  const limits = useQuery({ ...limitesQuery(api, Number(empresa_id)), enabled: stored })
  const free = freeCameras(form.values, limits.data)

  const discovery = useMutation({
    mutationFn: (values: FormularioGravador) =>
      api.send('POST', '/gravadores/descobrir', discoveryOf(values), resultadoCanalSchema.array()),
    onSuccess(canais) {
      setFound(canais)
      setPictures({})
      setByHand({})
      setNames({})
      setPlates([])
      setVisit((count) => count + 1)
      setPasso('canais')
    },
    onError: form.refuse,
    // The cache must not keep the password.
    gcTime: 0,
  })
  const nome = nomesPerfis.find((one) => one === form.values.perfil)
  const asksPlates = nome !== undefined && hasPlaca(perfil(nome).ias)
  const readers = asksPlates ? plates.filter((canal) => chosen.includes(canal)) : []
  const registration = useMutation({
    async mutationFn(values: FormularioGravador) {
      const body = registrationOf({ ...values, empresa_id: await owner.settle(form) }, chosen, names, readers)
      return api.send('POST', '/gravadores/cadastrar', body, resultadoCadastroSchema)
    },
    onSuccess({ cameras_criadas }) {
      for (const queryKey of [['cameras'], ['gravadores'], ['limites']]) void queries.invalidateQueries({ queryKey })
      announce(t('gravadores.anuncio', { count: cameras_criadas }))
      void navigate({ to: instalacao === true ? '/instalacao' : '/gravadores' })
    },
    onError: form.refuse,
    gcTime: 0,
  })
  return {
    form,
    owner,
    passo,
    setPasso,
    visit,
    found,
    chosen,
    choose: (canal: number, on: boolean) => setByHand((before) => ({ ...before, [canal]: on })),
    /** Whether the picture of a canal came; absent: it is still awaited. */
    pictures,
    setPicture: (canal: number, came: boolean) => setPictures((before) => ({ ...before, [canal]: came })),
    names,
    /** The Perfil reads plates: a person names the canais. */
    asksPlates,
    plates: readers,
    setPlates,
    setName: (canal: number, nome: string) => setNames((before) => ({ ...before, [canal]: nome })),
    /** Number of chosen canais beyond the limit of the Empresa. */
    excess: free === null ? 0 : Math.max(0, chosen.length - free),
    free,
    discovering: discovery.isPending,
    busy: discovery.isPending || registration.isPending,
    discover: () => form.submit(discovery.mutate),
    register: () => form.submit(registration.mutate),
  }
}
