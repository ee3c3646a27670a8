import { type CampoAlcance, checkAlcance, chosenAlcance, emptyAlcance } from '../../locais/cameras/alcance-form.ts'

export type FormularioConvite = Record<'para' | 'papel' | 'empresa_id' | 'empresa_nome' | CampoAlcance, string>

export const emptyConvite: FormularioConvite = {
  para: '',
  papel: 'usuario',
  empresa_id: '',
  empresa_nome: '',
  ...emptyAlcance,
}

export const checkConvite = (
  form: Readonly<FormularioConvite>,
): Partial<Record<keyof FormularioConvite, 'empresaFalta' | 'listaFalta'>> => ({
  ...(form.empresa_id === '' && { empresa_id: 'empresaFalta' }),
  ...checkAlcance(form),
})

/** Body of the creation. */
export const conviteCreationOf = ({ para, papel, empresa_id, ...reach }: Readonly<FormularioConvite>) => ({
  papel,
  ...(para.trim() === '' ? {} : { para: para.trim() }),
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
  ...chosenAlcance(reach),
})

/** Whether other machines cannot open the link. */
export function isLocalLink(link: string): boolean {
  const host = URL.parse(link)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host)
}
