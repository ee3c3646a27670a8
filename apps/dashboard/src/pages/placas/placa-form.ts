import { normalizePlaca, PLACA } from '@vigia/contracts/placas'

type CampoPlaca = 'placa' | 'lista' | 'dono' | 'nota' | 'validade' | 'empresa_id' | 'empresa_nome'

/** The fields of the form, as text. */
export type FormularioPlaca = Record<CampoPlaca, string>

type ProblemaPlaca = 'placaErrada' | 'empresaFalta'

/** Choices for the validity in days; '': no end. */
export const validadesPlaca = ['1', '7', '30', '365', ''] as const

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

/** Body of the creation. */
export const placaCreationOf = ({ placa, lista, dono, nota, validade, empresa_id }: FormularioPlaca, now: number) => ({
  placa: normalizePlaca(placa),
  lista,
  ...(dono.trim() !== '' && { dono: dono.trim() }),
  ...(nota.trim() !== '' && { nota: nota.trim() }),
  ...(validade !== '' && { validade: new Date(now + Number(validade) * DAY_MS).toISOString() }),
  ...(empresa_id !== '' && { empresa_id: Number(empresa_id) }),
})
