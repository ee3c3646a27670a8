import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import classes from './copied-secret.module.css'
import { copyElement } from './copy-element.ts'
import { styled } from './styled.ts'

/** Button that copies a text, and its result. */
export const CopyRow = styled('div', classes.copy)

/** Command or header that a person types elsewhere. */
export const CommandText = styled('pre', classes.command)

/** Note that a text is shown only once. */
export const OnceNote = styled('p', classes.once)

interface CopiedSecretProps {
  readonly label: string
  readonly copy: string
  readonly copied: string
  /** Shown if the browser refused the copy; the text is then selected. */
  readonly selected: string
  readonly children: ReactNode
  /** Buttons beside the copy button. */
  readonly more?: ReactNode
}

/** A text that is shown only once, with a button that copies it. */
export function CopiedSecret({ label, copy, copied, selected, children, more }: CopiedSecretProps) {
  const output = useRef<HTMLOutputElement>(null)
  const [done, setDone] = useState<boolean | null>(null)
  return (
    <>
      <output ref={output} className={classes.secret} aria-label={label} translate="no">
        {children}
      </output>
      <CopyRow>
        <Button
          variant="default"
          leftSection={<IconCopy size={18} />}
          onClick={() => output.current && void copyElement(output.current).then(setDone)}
        >
          {copy}
        </Button>
        {more}
        <p role="status">{done !== null && (done ? copied : selected)}</p>
      </CopyRow>
    </>
  )
}
