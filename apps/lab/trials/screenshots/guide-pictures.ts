import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@vigia/testing/program'

const GUIDES = 'docs/pt'
/** Picture of both README files, and the screen that it shows. */
const README = { picture: 'plantao-notebook', file: 'docs/dashboard.png' } as const

/** Reads which pictures the guides show: `docs/pt/imagens/cameras-celular.jpg` shows `cameras-celular`. */
export function guidePictures(): { readonly picture: string; readonly file: string }[] {
  const guides = readdirSync(join(repositoryRoot, GUIDES)).filter((name) => name.endsWith('.md'))
  const shown = guides.flatMap((guide) => [
    ...readFileSync(join(repositoryRoot, GUIDES, guide), 'utf8').matchAll(/\]\((imagens\/([^)]+)\.jpg)\)/g),
  ])
  return [README, ...shown.map(([, path = '', picture = '']) => ({ picture, file: `${GUIDES}/${path}` }))]
}
