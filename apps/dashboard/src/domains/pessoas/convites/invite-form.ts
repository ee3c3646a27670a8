export type FormularioConvite = Record<'para' | 'papel' | 'empresa_id' | 'empresa_nome', string>

export const emptyConvite: FormularioConvite = { para: '', papel: 'usuario', empresa_id: '', empresa_nome: '' }

export const checkConvite = (
  { empresa_id }: Readonly<FormularioConvite>,
  { needsEmpresa }: { readonly needsEmpresa: boolean },
): Partial<Record<keyof FormularioConvite, 'empresaFalta'>> =>
  needsEmpresa && empresa_id === '' ? { empresa_id: 'empresaFalta' } : {}

/** Body of the creation. */
export const conviteCreationOf = ({ para, papel, empresa_id }: Readonly<FormularioConvite>) => ({
  papel,
  ...(para.trim() === '' ? {} : { para: para.trim() }),
  ...(empresa_id === '' ? {} : { empresa_id: Number(empresa_id) }),
})

/** Whether other machines cannot open the link. */
export function isLocalLink(link: string): boolean {
  const host = URL.parse(link)?.hostname ?? ''
  return host === 'localhost' || host === '[::1]' || /^127\./.test(host)
}
