import { ActionIcon, Button, type ButtonProps } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './card-buttons.module.css'

interface CardButtonProps extends Pick<ButtonProps, 'variant'> {
  /** Stands at the other end of its row. */
  readonly atEnd?: boolean
  readonly icon: Icon
  /** Action and name of the record: the visible text is the same on all cards. */
  readonly label: string
  readonly onClick: () => void
  readonly children: ReactNode
}

const endClass = (atEnd: boolean) => (atEnd && classes.atEnd ? { className: classes.atEnd } : {})

/** Button on the card of one record. */
export function CardButton({ icon: Icon, label, variant = 'subtle', atEnd = false, ...button }: CardButtonProps) {
  return (
    <Button
      variant={variant}
      {...(variant === 'subtle' ? { color: 'gray' } : {})}
      size="sm"
      leftSection={<Icon size={17} />}
      aria-label={label}
      {...endClass(atEnd)}
      {...button}
    />
  )
}

interface CardIconProps extends Omit<CardButtonProps, 'children' | 'variant'> {
  /** Tooltip: the text that other buttons show. */
  readonly title: string
}

/** Button on the card of one record that shows only its icon. */
export function CardIcon({ icon: Icon, label, atEnd = false, ...button }: CardIconProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size={40} aria-label={label} {...endClass(atEnd)} {...button}>
      <Icon size={19} />
    </ActionIcon>
  )
}
