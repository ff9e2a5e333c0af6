"""Proofs: searched for, written as certificates, checked by the rules alone."""
