import { ia, type NomeIa } from '@vigia/contracts/ias'
import { inPortuguese } from './locale.ts'

/** Title and description of an IA in the language of the page. */
export const textsOfIa = (nome: NomeIa): { readonly titulo: string; readonly descricao: string } =>
  inPortuguese() ? ia(nome) : ia(nome).ingles
