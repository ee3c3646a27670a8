import { type Html, html } from '../../../../http/pages/html.ts'

/**
 * The self-chosen name of a program: quoted and isolated from the text direction, so that it cannot imitate text of the
 * page.
 */
export const clientName = (nome: string | null): Html =>
  nome === null
    ? html`Um programa sem nome`
    : html`Um programa que se apresenta como <strong>“<bdi>${nome}</bdi>”</strong>`
