import classes from './plate.module.css'
import { styled } from './styled.ts'

/** The text of a licence plate, framed like one. */
const Frame = styled('span', classes.plate)

/** A licence plate. No translator changes it. */
export const Plate = ({ children }: { readonly children: string }) => <Frame translate="no">{children}</Frame>
