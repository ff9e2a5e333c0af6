"""The server: who may come in, sockets, frames, processes for rules of somebody's own, what all handlers share."""
