/** A file is not what it is taken for, or not to be used; `fault` says why. */
export abstract class UnfitFileError<Fault extends string> extends Error {
	readonly fault: Fault;
	constructor(fault: Fault) {
		super(fault);
		this.fault = fault;
	}
}
