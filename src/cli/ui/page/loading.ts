import { useEffect, useState } from 'preact/hooks';

export type Loaded<T> =
  | { readonly is: 'waiting' }
  | { readonly is: 'there'; readonly value: T }
  | { readonly is: 'failed'; readonly error: Error };

/** What a question is answered with, asked anew when `name` changes. */
export function useLoaded<T>(name: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<Loaded<T> & { readonly of?: string }>({ is: 'waiting' });
  useEffect(() => {
    let isOver = false;
    setState({ is: 'waiting', of: name });
    load()
      .then((value) => isOver || setState({ is: 'there', value, of: name }))
      .catch((error: Error) => isOver || setState({ is: 'failed', error, of: name }));
    return () => {
      isOver = true;
    };
  }, [name]);
  return state.of === name ? state : { is: 'waiting' };
}
