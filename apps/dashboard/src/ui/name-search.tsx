import { TextInput } from '@mantine/core'
import { IconSelector } from '@tabler/icons-react'
import { type KeyboardEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasWords } from '../texts/plain.ts'
import classes from './name-search.module.css'

/** One of the names to choose from. */
interface NamedOption {
  readonly id: number
  readonly nome: string
  /** Distinguishes equal names. The search finds it, too. */
  readonly onde?: string | null
}

interface NameSearchProps {
  readonly label: string
  readonly hideLabel?: boolean
  /** Name of the choice without a limit. */
  readonly all: string
  readonly options: readonly NamedOption[]
  readonly value: number | undefined
  /** Name of a value that is not in `options`. */
  readonly missing: string
  /** Each choice adds a name to others: there is no choice of all. */
  readonly adds?: boolean
  readonly error?: string | undefined
  readonly onChoose: (id: number | undefined) => void
}

/** Options in the page. A person with more matches types another letter. */
const SHOWN = 12

/** Search box that chooses one of hundreds of names (combobox of ARIA 1.2 with a list). */
export function NameSearch({
  label,
  hideLabel = false,
  all,
  options,
  value,
  missing,
  adds = false,
  error,
  onChoose,
}: NameSearchProps) {
  const { t } = useTranslation()
  const list = useId()
  /** null: the list is closed. */
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const chosen = value === undefined ? '' : (options.find(({ id }) => id === value)?.nome ?? missing)
  const found = typed === null ? [] : options.filter(({ nome, onde }) => hasWords(typed, [nome, onde ?? '']))
  const matches = found.slice(0, SHOWN).map(({ id, nome, onde }) => ({ id, nome, onde }))
  const shown = typed === '' && !adds ? [{ id: undefined, nome: all, onde: null }, ...matches] : matches
  const optionId = (index: number) => `${list}-${index}`

  const type = (text: string | null) => {
    setTyped(text)
    setActive(0)
  }
  const choose = (id: number | undefined) => {
    type(null)
    if (id !== value) onChoose(id)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      if (typed === null) type('')
      else setActive((now) => Math.min(Math.max(now + step, 0), Math.max(shown.length - 1, 0)))
    }
    const option = shown[active]
    if (event.key === 'Enter' && option) {
      // A form around the field must not be sent.
      event.preventDefault()
      choose(option.id)
    }
    if (event.key === 'Escape') type(null)
  }
  return (
    <div className={classes.field}>
      <TextInput
        role="combobox"
        aria-expanded={typed !== null}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={shown.length > 0 ? optionId(active) : undefined}
        {...(hideLabel ? { 'aria-label': label } : { label })}
        placeholder={all}
        value={typed ?? chosen}
        error={error}
        autoComplete="off"
        rightSection={<IconSelector size={16} aria-hidden="true" />}
        rightSectionPointerEvents="none"
        onClick={() => typed === null && type('')}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={() => type(null)}
        onKeyDown={onKeyDown}
      />
      {typed !== null && (
        <div className={classes.popup}>
          <div role="listbox" id={list} aria-label={label}>
            {shown.map(({ id, nome, onde }, index) => (
              <div
                key={id ?? 'all'}
                role="option"
                tabIndex={-1}
                id={optionId(index)}
                aria-selected={index === active}
                className={classes.option}
                // Before the field loses the focus, which closes the list.
                onMouseDown={(event) => {
                  event.preventDefault()
                  choose(id)
                }}
              >
                {nome} {onde && <span>{onde}</span>}
              </div>
            ))}
          </div>
          {found.length > SHOWN && <p>{t('comum.maisNomes', { count: found.length - SHOWN })}</p>}
          {shown.length === 0 && <p>{t('comum.nenhumNome')}</p>}
        </div>
      )}
    </div>
  )
}
