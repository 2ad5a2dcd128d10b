import { getWhole, type Transaction } from './transaction.ts'

/**
 * What somebody keeps of each transaction, made when it is asked for first; of one that several share its parts have the same. It hangs
 * on the transaction itself: what a `WeakMap` holds and leads back to its key stays, with all that the transaction has read, until V8
 * looks through the whole heap.
 */
export function perTransaction<Value>(make: (whole: Transaction) => Value): (tx: Transaction) => Value {
  const key = Symbol()
  return (tx) => {
    const { kept: stored } = tx
    if (!stored.has(key)) stored.set(key, make(getWhole(tx)))
    return stored.get(key) as Value
  }
}
