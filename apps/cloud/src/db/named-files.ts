import { copyPath } from './clipes.ts'
import { filesOfPassagem } from './passagens.ts'

/** Folders of the media store. */
export const mediaFolders = ['eventos', 'dataset', 'evidencias', 'clipes', 'descartados', 'passagens'] as const

type Text = string | null

interface NamingRow {
  readonly eventos: { readonly crop_path: Text; readonly quadro_path: Text }
  readonly clipes: {
    readonly caminho: string
    readonly tira: Text
    readonly estado: string
    readonly copia_sha256: Text
  }
  readonly evidencias: { readonly caminho: Text }
  readonly descartados: { readonly caminho: Text }
  readonly passagens: { readonly foto_path: Text; readonly foto_placa_path: Text; readonly dataset_path: Text }
}

export type NamingTable = keyof NamingRow

/** Files of the media store that a row names, for each table with names. */
export const namedByRow: { readonly [T in NamingTable]: (row: NamingRow[T]) => string[] } = {
  passagens: filesOfPassagem,
  eventos: ({ crop_path, quadro_path }) => [...filesOfCrop(crop_path), ...some(quadro_path)],
  clipes: (clipe) => [...(clipe.estado === 'guardado' ? [clipe.caminho] : []), ...some(clipe.tira), ...copyOf(clipe)],
  evidencias: ({ caminho }) => some(caminho),
  descartados: ({ caminho }) => some(caminho),
}

export const some = (path: Text): string[] => (path === null ? [] : [path])

export const copyOf = ({ caminho, copia_sha256 }: Pick<NamingRow['clipes'], 'caminho' | 'copia_sha256'>): string[] =>
  copia_sha256 === null ? [] : [copyPath(caminho)]

/** A crop in the training data has a line beside it. */
export const filesOfCrop = (path: Text): string[] => [
  ...some(path),
  ...(path?.startsWith('dataset/') ? [path.replace(/\.jpg$/, '.json')] : []),
]
