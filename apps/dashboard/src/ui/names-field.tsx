import { CloseButton } from '@mantine/core'
import { NameSearch } from './name-search.tsx'
import classes from './names-field.module.css'

interface NamesFieldProps {
  readonly label: string
  /** Text of the empty search box. */
  readonly search: string
  /** Name of the list of chosen names. */
  readonly chosenLabel: string
  /** Names to choose from. */
  readonly options: readonly { readonly id: number; readonly nome: string }[]
  readonly chosen: readonly number[]
  /** Maximum number of chosen names. */
  readonly max: number
  /** Name of the button that takes a name out. */
  readonly removeLabel: (nome: string) => string
  readonly error?: string | undefined
  readonly onChange: (ids: number[]) => void
}

/** Field for several of hundreds of names: a search box adds one, and each has a button that takes it out. */
export function NamesField(props: NamesFieldProps) {
  const { label, search, chosenLabel, options, chosen, max, removeLabel, error, onChange } = props
  return (
    <div>
      <NameSearch
        adds
        label={label}
        all={search}
        options={chosen.length < max ? options.filter(({ id }) => !chosen.includes(id)) : []}
        value={undefined}
        missing=""
        error={error}
        onChoose={(id) => id !== undefined && onChange([...chosen, id])}
      />
      {chosen.length > 0 && (
        <ul className={classes.chosen} aria-label={chosenLabel}>
          {chosen.map((id) => {
            const nome = options.find((one) => one.id === id)?.nome ?? String(id)
            return (
              <li key={id}>
                <bdi>{nome}</bdi>
                <CloseButton
                  size="sm"
                  aria-label={removeLabel(nome)}
                  onClick={() => onChange(chosen.filter((one) => one !== id))}
                />
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}
