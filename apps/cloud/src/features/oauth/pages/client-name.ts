import { type Html, html } from '../../../http/pages/html.ts'

/**
 * A program's name as it gave it itself: quoted, and set apart from the direction of the text around it, so that it cannot
 * pass for words of ours.
 */
export const clientName = (nome: string | null): Html =>
  nome === null
    ? html`Um programa sem nome`
    : html`Um programa que se apresenta como <strong>“<bdi>${nome}</bdi>”</strong>`
