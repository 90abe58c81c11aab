type Work = () => Promise<void>;

const works = new Set<Work>();

/** Nobody waits longer for what is still to be sent, in milliseconds. */
const patienceMs = 4000;

/** Registers what is sent before somebody logs out: afterwards it could not be. @returns how to stop */
export function beforeSignOut(work: Work): () => void {
	works.add(work);
	return () => works.delete(work);
}

/** Sends it, as far as that succeeds within a moment. */
export async function finishBeforeSignOut(): Promise<void> {
	const sent = Promise.allSettled([...works].map((work) => work()));
	await Promise.race([sent, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
}
