"""Rules of somebody's own kept in check while they are searched: time, memory, states changed in place, trust."""
