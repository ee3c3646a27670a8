import { Plate } from '../../../ui/plate.tsx'
import classes from './plate-facts.module.css'

interface PlateFactsProps {
  /** null: another IA, or no plate was read. */
  readonly placa: {
    readonly texto: string
    readonly dono?: string | null | undefined
    readonly nota?: string | null | undefined
  } | null
}

/** A plate with owner and note of its list, for a login that may see them. */
export function PlateFacts({ placa }: PlateFactsProps) {
  if (placa === null) return null
  const listed = [placa.dono, placa.nota].filter(Boolean).join(' · ')
  return (
    <>
      <Plate>{placa.texto}</Plate>
      {listed && (
        <span className={classes.listed} title={listed}>
          {listed}
        </span>
      )}
    </>
  )
}
