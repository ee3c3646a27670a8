import { TextInput, type TextInputProps } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

interface TypedTextProps extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  /** Text without outer spaces; undefined: empty. */
  readonly onTyped: (text: string | undefined) => void
}

/** Pause after the last key before the text takes effect. */
const PAUSE_MS = 350

/** Text field whose value takes effect after a pause, or at once with Enter. */
export function TypedText({ value, onTyped, ...props }: TypedTextProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const finish = () => {
    if (typed !== null && typed.trim() !== value) onTyped(typed.trim() || undefined)
    setTyped(null)
  }
  const latest = useRef(finish)
  useEffect(() => {
    latest.current = finish
  })
  // The pause starts again with each key only.
  useEffect(() => {
    if (typed === null) return
    const timer = setTimeout(() => latest.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <TextInput
      {...props}
      value={typed ?? value}
      maxLength={200}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        if (event.key === 'Enter') finish()
      }}
    />
  )
}
