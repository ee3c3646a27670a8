import { normalizePlaca, PLACA, type PlacaListada } from '@vigia/contracts/placas'

export type CampoPlaca = 'placa' | 'lista' | 'dono' | 'nota' | 'validade' | 'empresa_id' | 'empresa_nome'

/** The fields of the form, as text. */
export type FormularioPlaca = Record<CampoPlaca, string>

type ProblemaPlaca = 'placaErrada' | 'empresaFalta'

/** Choices for the validity in days; '': no end. */
export const validadesPlaca = ['1', '7', '30', '365', ''] as const
/** Choice of a change: the end stays. */
export const MESMA_VALIDADE = 'mesma'

const DAY_MS = 86_400_000

export const emptyPlaca: FormularioPlaca = {
  placa: '',
  lista: 'permitida',
  dono: '',
  nota: '',
  validade: '',
  empresa_id: '',
  empresa_nome: '',
}

export function checkPlaca(form: Readonly<FormularioPlaca>) {
  const problems: Partial<Record<CampoPlaca, ProblemaPlaca>> = {}
  if (!PLACA.test(normalizePlaca(form.placa))) problems.placa = 'placaErrada'
  if (form.empresa_id === '') problems.empresa_id = 'empresaFalta'
  return problems
}

/** The form of a listed plate. Its validity stays until a person chooses another. */
export const formOfPlaca = ({ placa, lista, dono, nota }: PlacaListada): FormularioPlaca => ({
  ...emptyPlaca,
  placa,
  lista,
  dono: dono ?? '',
  nota: nota ?? '',
  validade: MESMA_VALIDADE,
})

const endIn = (days: string, now: number): string => new Date(now + Number(days) * DAY_MS).toISOString()

/** Body of a change. */
export const placaChangeOf = ({ lista, dono, nota, validade }: FormularioPlaca, now: number) => ({
  lista,
  dono: dono.trim() || null,
  nota: nota.trim() || null,
  ...(validade !== MESMA_VALIDADE && { validade: validade === '' ? null : endIn(validade, now) }),
})

/** Body of the creation. */
export const placaCreationOf = ({ placa, lista, dono, nota, validade, empresa_id }: FormularioPlaca, now: number) => ({
  placa: normalizePlaca(placa),
  lista,
  ...(dono.trim() !== '' && { dono: dono.trim() }),
  ...(nota.trim() !== '' && { nota: nota.trim() }),
  ...(validade !== '' && { validade: endIn(validade, now) }),
  ...(empresa_id !== '' && { empresa_id: Number(empresa_id) }),
})
