import { type NomePerfil, perfil } from '@vigia/contracts/perfis'
import english from './en/perfis.json'
import { inPortuguese } from './locale.ts'

/** Title and description of a Perfil in the language of the page. */
export const textsOfPerfil = (nome: NomePerfil): { readonly titulo: string; readonly descricao: string } =>
  inPortuguese() ? perfil(nome) : english[nome]
