// What a button does, and why it failed.
import { useState } from 'preact/hooks'
import { complaint } from './net'

/** useAttempt returns attempt, which does work and notes why it failed, without the part of the error that the visitor knows. */
export function useAttempt() {
  const [trouble, setTrouble] = useState('')
  const attempt = async (work: () => unknown, known = '') => {
    setTrouble('')
    try {
      await work()
    } catch (e) {
      setTrouble(complaint(e, known))
    }
  }
  return { trouble, setTrouble, attempt }
}
