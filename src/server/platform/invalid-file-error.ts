/** A file is not what it is taken for, or not to be used; `fault` says why. */
export abstract class InvalidFileError<Fault extends string> extends Error {
	readonly reason: Fault;
	constructor(fault: Fault) {
		super(fault);
		this.reason = fault;
	}
}
